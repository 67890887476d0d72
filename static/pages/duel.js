// A duel, for players and spectators.

import "./site.js";
import "./presence.js";
import "../js/turn/stepping.js";
import "../js/parts/sharing.js";
import "../js/news.js";
import "../js/talk.js";
import "../js/order_sheet/chance.js";
