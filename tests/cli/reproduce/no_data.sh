akin reproduce solis
