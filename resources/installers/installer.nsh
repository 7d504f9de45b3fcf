; Removes what the app itself registers for the user: a login item, the scheme of its links, and the server for clicks on
; notifications. electron-builder uninstalls the previous version before an update.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "${APP_ID}"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "${APP_ID}"
    ; The scheme may belong to another program.
    ReadRegStr $R0 HKCU "Software\Classes\broadsheet\shell\open\command" ""
    ${if} $R0 == '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
      DeleteRegKey HKCU "Software\Classes\broadsheet"
    ${endIf}
    DeleteRegKey HKCU "Software\Classes\CLSID\{DFF08C9D-64C4-4B7C-AC44-AA118B5CBD12}"
  ${endIf}
!macroend
