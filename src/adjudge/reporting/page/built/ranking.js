/* adjudge page, built by web/build.mjs from sources 1501ae339ed29ab414a97c482148f2bd0d3ae496d44da9db6aedd03135af8b9b */
"use strict";(()=>{})();
