// A duel with an order sheet; includes duel.js.

import "./site.js";
import "./duel.js";
import "../js/order_sheet/sheet.js";
import "../js/spellbook/spell_search.js";
