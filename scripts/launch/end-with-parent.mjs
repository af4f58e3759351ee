/**
 * Imported into every child of the launcher (`node --import`). The channel to the launcher breaks however the launcher
 * ended, kill -9 included; the child then stops as it does when asked to.
 */
const end = () => process.kill(process.pid, "SIGTERM");
process.on("disconnect", end);
if (process.connected === false) end(); // it ended before this line
process.channel?.unref();

// For this process alone: its own children would inherit the import, and live by their channel to it.
const self = process.execArgv.indexOf(import.meta.url);
if (self > 0) process.execArgv.splice(self - 1, 2);
