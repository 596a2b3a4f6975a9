# What is misspelt is not what is missing.
akin train solis-ada --dat rows.svm --out m; echo $?
akin tune solis-ada --dat rows.svm; echo $?
akin train solis-adda --dat rows.svm; echo $?
akin train --dat rows.svm; echo $?
