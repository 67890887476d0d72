// The order sheet: keys, the step before sealing, drafts and the player's own row.

import "./chance.js";
import "./hands.js";
import "./sealing.js";
import "./drafts.js";
import "./own_row.js";
