# ctest reads this file once it knows the tests of a program: `tests`. They get the label
# `label`, unless their name says otherwise. A program that was not built is one failing test.
if(NOT tests)
  set(tests ${program}_NOT_BUILT)
endif()
foreach(test IN LISTS tests)
  # Laws and oracles: what must hold for any data, such as a gradient that equals differences.
  if(label STREQUAL "unit" AND test MATCHES
     "(Laws?|MixtureOracle|ContractTest|Additive|MaxentObjectiveTest|MaxentFitTest|RanksTraining|RanksSystems|SharedReading)[.]")
    set_tests_properties("${test}" PROPERTIES LABELS laws)
  else()
    set_tests_properties("${test}" PROPERTIES LABELS ${label})
  endif()
  # More than five seconds: only scripts/test --all runs them.
  if(test MATCHES "^(Sentiment|SharedCalibration)[.]")
    set_tests_properties("${test}" PROPERTIES LABELS long COST 100)
  endif()
endforeach()
