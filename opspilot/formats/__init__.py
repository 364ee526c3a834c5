"""How Django itself writes and reads dates and numbers, a module a language: FORMAT_MODULE_PATH.

Its own pt-BR drops the seconds of a moment and capitalises months. What a page shows goes through
`opspilot.presentation.formats`; these agree with it, for what a form or a filter renders by itself.
"""
