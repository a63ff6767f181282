#include "tailcost/market/npz_importer.hpp"

#include "tailcost/core/error.hpp"
#include "tailcost/market/mapped_file.hpp"
#include "tailcost/market/npz_events.hpp"

namespace tailcost {

DatasetFacts import_npz(std::span<const std::filesystem::path> files, const std::filesystem::path& folder, const NpzImportOptions& options,
                        const ImportProgress& progress) {
  check(options.instrument, "instrument");
  if (files.empty()) throw UsageError{"no file to import was given; name one or more .npz files"};
  std::uint64_t total = 1;
  for (const auto& path : files) total += MappedFile{path}.bytes().size();
  ImportSink sink{folder, options.instrument, files, options.edits};
  RecordReader reader{options.instrument};
  std::uint64_t done = 0;
  for (const auto& path : files) {
    sink.begin_source(path.string());
    read_npz_events(
        path, reader, [&](const MarketEvent& event) { sink.add(event); },
        [&](std::uint64_t consumed) {
          if (progress) progress(static_cast<double>(done + consumed) / static_cast<double>(total));
        });
    done += MappedFile{path}.bytes().size();
  }
  DatasetFacts facts = sink.finish(reader);
  if (progress) progress(1);
  return facts;
}

}  // namespace tailcost
