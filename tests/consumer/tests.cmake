# Installs the finished build into a temporary prefix, then configures, builds and runs the
# project of this folder with it.
set(prefix ${PROJECT_BINARY_DIR}/consumer/prefix)
add_test(NAME install.prefix
         COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${prefix})
add_test(NAME install.consumer
         COMMAND ${CMAKE_CTEST_COMMAND}
           --build-and-test ${CMAKE_CURRENT_LIST_DIR} ${PROJECT_BINARY_DIR}/consumer/build
           --build-generator ${CMAKE_GENERATOR}
           --build-options -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=${prefix}
           --test-command consumer)
set_tests_properties(install.prefix PROPERTIES FIXTURES_SETUP installed LABELS long)
set_tests_properties(install.consumer PROPERTIES FIXTURES_REQUIRED installed LABELS long TIMEOUT 300)
