akin embed
