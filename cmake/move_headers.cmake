# Headers that are installed in `folder`, which is mubody/cli/, include one another there in place of cli/.
file(GLOB headers ${folder}/*.h)
foreach(header ${headers})
  file(READ ${header} text)
  string(REPLACE "#include \"cli/" "#include \"mubody/cli/" text "${text}")
  file(WRITE ${header} "${text}")
endforeach()
