akin ""
