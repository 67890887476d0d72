// Pages for players and guests, and all duel pages: shows changes as they happen.

import "./site.js";
import "../js/presence/presence.js";
