// Every page. What other pages' scripts share is here as well, so that no page loads it twice.

import "../js/site.js";
import "../js/parts.js";
import "../js/session_text.js";
