// All pages. Modules that several other lists need are also here, so that no page loads them twice.

import "../js/site.js";
import "../js/parts.js";
import "../js/session_text.js";
