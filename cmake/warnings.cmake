# Warnings for our code only: dependencies come in as system headers.
add_library(tailcost_warnings INTERFACE)
target_compile_options(tailcost_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(tailcost_warnings INTERFACE -Wno-restrict)  # g++ 12 sees overlaps in std::string that are not there
endif()
