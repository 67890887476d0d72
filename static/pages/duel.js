// A duel, for players and spectators.

import "./site.js";
import "./presence.js";
import "../js/turn/stepping.js";
import "../js/parts/sharing.js";
import "../js/duel/news.js";
import "../js/duel/talk.js";
import "../js/order_sheet/chance.js";
