akin learners solis-ad
