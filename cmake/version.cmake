# The code version that goes into every result: the release, and the commit where there is one. Refreshed at each build, written only when it changed.
set(version_source ${PROJECT_BINARY_DIR}/generated/code_version.cpp)
add_custom_target(tailcost_code_version
  COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION} -DOUT=${version_source}
          -P ${PROJECT_SOURCE_DIR}/cmake/write_version.cmake
  BYPRODUCTS ${version_source})
