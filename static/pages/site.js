// All pages. Modules that several of the other files need are here, so that no page loads them
// twice.

import "../js/site.js";
import "../js/parts.js";
import "../js/session_text.js";
