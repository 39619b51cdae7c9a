// What `require` gives. Node finds it under 'module.exports' by itself, but not every bundler does.
const namespace = require('./index.js')
module.exports = namespace['module.exports'] ?? namespace
