// A sample game.

import "./site.js";
import "../js/stepping.js";
