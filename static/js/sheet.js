// The order sheet: keys, the step before sealing, drafts, the row of what is drafted.

import "./chance.js";
import "./hands.js";
import "./sealing.js";
import "./drafts.js";
import "./own_row.js";
