// Pages of players and guests, and every duel: shows changes as they happen.

import "./site.js";
import "../js/presence.js";
