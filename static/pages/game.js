// A sample game and its turns.

import "./site.js";
import "../js/turn/stepping.js";
