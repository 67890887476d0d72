// The spellbook.

import "./site.js";
import "../js/spell_search.js";
