# What `cmake --install` puts in place: the program, and a CMake package for strategies of one's own, which need the modules up to `strategies`.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(installed core stats market profile backtest strategies)
list(TRANSFORM installed PREPEND tailcost_)
# They are linked into shared objects. Nothing may replace their functions there, so calls cost what they cost in a program.
set_target_properties(${installed} PROPERTIES POSITION_INDEPENDENT_CODE ON)
foreach(target IN LISTS installed)
  target_compile_options(${target} PRIVATE -fno-semantic-interposition)
endforeach()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/tailcost)
set(package_version ${PROJECT_BINARY_DIR}/generated/tailcost-config-version.cmake)
write_basic_package_version_file(${package_version} COMPATIBILITY SameMinorVersion)

install(TARGETS tailcost)
install(TARGETS ${installed} EXPORT tailcost ARCHIVE FILE_SET HEADERS)
install(EXPORT tailcost FILE tailcost-targets.cmake NAMESPACE tailcost:: DESTINATION ${package})
install(FILES cmake/tailcost-config.cmake ${package_version} DESTINATION ${package})
