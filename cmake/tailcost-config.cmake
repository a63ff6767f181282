# find_package(tailcost CONFIG REQUIRED) gives tailcost::backtest and tailcost::strategies to link to, and tailcost_strategy() below.
include(CMakeFindDependencyMacro)
find_dependency(nlohmann_json 3.11)
find_dependency(OpenSSL COMPONENTS Crypto)
find_dependency(ZLIB)
include(${CMAKE_CURRENT_LIST_DIR}/tailcost-targets.cmake)

# tailcost_strategy(name SOURCES a.cpp ...)
# Makes name.so, which `tailcost backtest` and `tailcost price` load by its path. One source defines `tailcost_strategy`
# (tailcost/backtest/strategy_plugin.hpp); nothing else can be seen from outside.
function(tailcost_strategy name)
  cmake_parse_arguments(arg "" "" "SOURCES" ${ARGN})
  add_library(${name} MODULE ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE tailcost::strategies)
  target_compile_options(${name} PRIVATE -ffp-contract=off)  # the same bits on every processor
  target_link_options(${name} PRIVATE -Wl,--exclude-libs,ALL -Wl,--as-needed -Wl,-z,defs)
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so" CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()
