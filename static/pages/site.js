// All pages. Modules that several other lists need are here too, so that no page loads one twice.

import "../js/site.js";
import "../js/parts.js";
import "../js/session_text.js";
