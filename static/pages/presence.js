// Pages of players and guests, and duels that somebody watches: what has changed is shown.

import "./site.js";
import "../js/presence.js";
