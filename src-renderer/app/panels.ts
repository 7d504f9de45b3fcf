/** The dialogs of the app; `views` is the sidebar in a narrow window. The palette is above any of them. */
export type Panel = 'settings' | 'help' | 'views' | 'guide' | 'health' | 'notifications' | 'export' | 'welcome';
