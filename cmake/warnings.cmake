# Warnings for our code only: dependencies come in as system headers.
add_library(tailcost_warnings INTERFACE)
target_compile_options(tailcost_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow)
