akin train solis-adda --data x --out y
