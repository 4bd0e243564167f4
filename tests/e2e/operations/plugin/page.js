// The page script of the tests: what runs in the pages comes from the tests themselves.
