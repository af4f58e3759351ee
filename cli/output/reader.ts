let serves = false;

/** `handrail runs list | head -1`: nobody reads the rest. */
export function endWithTheReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (serves) return;
      if (error.code !== "EPIPE") throw error;
      process.exit();
    });
}

/** For what serves until it is stopped: the terminal or the pipe may be gone, and that ends nothing but what is shown. */
export function goOnWithoutReader(): void {
  serves = true;
}
