akin info m.model
