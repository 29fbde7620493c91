# Removes the stamp when one of the files is not there, so that they are generated again.
foreach(file IN LISTS FILES)
  if(NOT EXISTS "${file}")
    file(REMOVE "${STAMP}")
  endif()
endforeach()
