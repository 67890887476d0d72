// The spellbook.

import "./site.js";
import "../js/spellbook/spell_search.js";
