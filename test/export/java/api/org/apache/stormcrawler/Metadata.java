package org.apache.stormcrawler;

public class Metadata {}
