/* adjudge page, built by web/build.mjs from sources d157782c6161355da100c496c760586f4c68052a406574a29f9a8eeab9d2d372 */
"use strict";(()=>{})();
