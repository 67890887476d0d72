// The order sheet: keys, the step before sealing, and drafts.

import "./chance.js";
import "./hands.js";
import "./sealing.js";
import "./drafts.js";
import "./guide.js";
