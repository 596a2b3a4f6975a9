akin zzzzzz
