/** Jest runs this before each test file: a test that reaches no assertion fails. */
beforeEach(() => expect.hasAssertions());
