/* adjudge page, built by web/build.mjs from sources e9d3293c0a4832621cbb7856771a6d9306f04b5a3439c14bafa7bc1359dc8e84 */
"use strict";(()=>{})();
