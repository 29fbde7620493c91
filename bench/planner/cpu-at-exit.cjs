// Loaded before a measured program: writes its CPU time (microseconds) to $CPU_FILE when it ends.
const { writeFileSync } = require('node:fs');
process.on('exit', () => writeFileSync(process.env.CPU_FILE, JSON.stringify(process.cpuUsage())));
