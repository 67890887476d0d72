// A played turn of a duel.

import "./site.js";
import "../js/turn/stepping.js";
import "../js/parts/sharing.js";
