// Imported for its effect. In a terminal, the runner of the tests sets FORCE_COLOR, with which the programs that a test starts
// would print values in colours.
delete process.env.FORCE_COLOR;
