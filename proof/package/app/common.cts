import handrail = require("handrail");

// ES modules in a CommonJS app: node loads them with `require`.
console.log(typeof handrail.createHandrail, new handrail.HandrailError("too_busy", "later").code);
