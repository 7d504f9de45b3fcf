// An app that ends as soon as Electron has started: run after a failed start to learn whether Electron itself is the reason.
const { app } = require('electron');

app.whenReady().then(() => app.exit(0));
