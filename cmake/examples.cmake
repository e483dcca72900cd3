# Each examples/NAME.cpp is a program and a test that runs it.
file(GLOB example_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.cpp")
foreach(source IN LISTS example_sources)
  cmake_path(GET source STEM name)
  add_executable(example_${name} ${source})
  target_link_libraries(example_${name} PRIVATE gyre::gyre gyre_host_flags)
  if(GYRE_TESTS)
    add_test(NAME example_${name} COMMAND example_${name} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(example_${name} PROPERTIES LABELS e2e SKIP_RETURN_CODE 77)
    add_dependencies(tests_e2e example_${name})
  endif()
endforeach()

# One of them with the shared library: a small program, as its test checks.
if(GYRE_TESTS AND NOT GYRE_SANITIZE)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  add_executable(example_shared "${PROJECT_SOURCE_DIR}/examples/train_mlp.cpp")
  target_link_libraries(example_shared PRIVATE gyre::shared gyre_host_flags)
  add_test(NAME example_shared COMMAND "${Python3_EXECUTABLE}" tests/small_program.py $<TARGET_FILE:example_shared> 200
           WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(example_shared PROPERTIES LABELS e2e)
  add_dependencies(tests_e2e example_shared)
endif()
