/** Dialogs that search, above the view or dialog that is shown. */
export type FinderName = 'search' | 'palette';
/** The dialogs of the app; `views` is the sidebar in a narrow window. */
export type Panel = 'settings' | 'help' | 'views' | 'guide' | 'health' | 'notifications' | 'export' | 'welcome';
